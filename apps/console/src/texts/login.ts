/** The page for logging in. */
export const loginTexts = {
  title: "Log in",
  email: "E-mail",
  password: "Password",
  submit: "Log in",
  emailMissing: "Enter your e-mail address",
  passwordMissing: "Enter your password",
  show: "Show the password",
  failed: "You are not logged in"
}
