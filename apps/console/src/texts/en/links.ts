/** Pages that links open: invitations, new passwords and new e-mail addresses. */
import { roleTexts } from "./roles.ts"

interface Invited {
  readonly organisation: string
  readonly inviter: string
  readonly role: keyof typeof roleTexts
}

export const linkTexts = {
  noToken: "This page needs the link of a mail or an invitation. Open the link again.",
  invalid: "This link was used or replaced, or it has expired. Ask for a new one.",
  toLogin: "To the login",
  toConsole: "To the sites",
  invitation: {
    title: "Invitation",
    explanation: ({ inviter, organisation, role }: Invited) =>
      `${inviter} invites you to ${organisation} as ${roleTexts[role].name.toLowerCase()}. ${roleTexts[role].description}`,
    submit: "Accept the invitation",
    failed: "The invitation was not accepted",
    unreadable: "The invitation could not be read"
  },
  reset: {
    title: "New password",
    hint: "All sessions of your account end.",
    submit: "Set the password",
    done: (email: string) => `The password of ${email} was changed. Log in with the new one.`,
    failed: "The password was not changed"
  },
  email: {
    title: "New e-mail address",
    explanation: "Confirm that you want to log in with this e-mail address from now on.",
    submit: "Confirm the address",
    done: (email: string) => `You log in as ${email} from now on.`,
    failed: "The address was not changed"
  }
}
