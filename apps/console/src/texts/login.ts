/** The page for logging in. */
export const loginTexts = {
  title: "Log in",
  email: "E-mail",
  password: "Password",
  submit: "Log in",
  emailMissing: "Enter your e-mail address",
  passwordMissing: "Enter your password",
  show: "Show the password",
  ended: "Your session has ended. Log in to go on where you were; nothing that you have typed is lost.",
  failed: "You are not logged in"
}
