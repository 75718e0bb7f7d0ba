/** The page for logging in. */
import type { Configuration } from "../../api/Console.ts"

const problems: Readonly<Record<string, string>> = {
  oidc_denied: "The login was cancelled at the provider.",
  oidc_expired: "The login took too long, or was begun in another window. Log in again.",
  oidc_failed: "The answer of the provider was not valid. Log in again; if it fails again, tell your operator.",
  oidc_not_allowed: "No organisation here accepts this account. Ask your administrator.",
  oidc_unavailable: "The provider does not answer. Try again in a moment."
}

type SessionHours = Configuration["accounts"]["sessionHours"]

export const loginTexts = {
  title: "Log in",
  email: "E-mail",
  password: "Password",
  submit: "Log in",
  emailMissing: "Enter your e-mail address",
  passwordMissing: "Enter your password",
  show: "Show the password",
  ended: "Your session has ended. Log in to go on where you were; nothing that you have typed is lost.",
  reasons: {
    expired: ({ life }: SessionHours) => `A session lasts ${life} hours at most.`,
    idle: ({ idle }: SessionHours) => `A session ends after ${idle} hours without use.`,
    ended: () =>
      "It was ended in another window, by a new password or second factor, or by an administrator. After the login, “My account” shows what happened."
  },
  ends: {
    expired: (at: string, { life }: SessionHours) =>
      `You were logged out on ${at}: a session lasts ${life} hours at most.`,
    idle: (at: string, { idle }: SessionHours) =>
      `You were logged out on ${at}: a session ends after ${idle} hours without use.`,
    password: (at: string) => `You were logged out because your password or second factor was changed on ${at}.`,
    removed: (at: string) => `Your user was removed on ${at}. Ask an administrator of your organisation.`,
    ended: (at: string) =>
      `You were logged out on ${at}: on another device, by an administrator, or by a change of the second factor.`
  },
  failed: "You are not logged in",
  codeHint: "The current code of your authenticator app, or a recovery code",
  codeMissing: "Enter the code",
  back: "Back",
  provider: (name: string | null) => (name === null ? "Log in with your organisation" : `Log in with ${name}`),
  or: "or with a password",
  problemOf: (code: string) => problems[code] ?? "The login failed. Try again.",
  forgotten: "Forgot password?",
  reset: {
    title: "Forgot password?",
    explanation: "Enter your e-mail address. You get a mail with a link to set a new password.",
    submit: "Send the link",
    sent: (email: string) =>
      `If there is a user with the address ${email}, a mail is on its way. Its link works for an hour.`,
    noMail: "No mail? Look in the spam folder, or ask an administrator of your organisation.",
    failed: "The link was not requested",
    toLogin: "To the login"
  }
}
