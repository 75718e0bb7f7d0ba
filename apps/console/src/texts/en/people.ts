/** The users of the organisation and invitations. */

export const peopleTexts = {
  title: "People",
  description: (organisation: string) => `The users of ${organisation} and what each may do.`,
  notManager: "Owners and admins manage people.",
  noInvitations: "New people log in at the provider of your organisation; there are no invitations.",
  notOwners: "Admins do not manage owners.",
  userWithId: (id: string) => `User ${id}`,
  table: "People",
  columns: { name: "Name", role: "Role", secondFactor: "Second factor", lastLoginAt: "Last login", createdAt: "Since" },
  noLogin: "–",
  you: "You",
  on: "On",
  off: "Off",
  actions: (name: string) => `Actions for ${name}`,
  actionsColumn: "Actions",
  changeAccess: "Change access …",
  endSessions: "End sessions …",
  resetFactor: "Remove second factor …",
  remove: "Remove …",
  accessDialog: {
    title: (name: string) => `Access of ${name}`,
    role: "Role",
    submit: "Change the access",
    done: (name: string) => `The access of ${name} was changed.`,
    own: "You cannot raise it again yourself."
  },
  sessionsDialog: {
    title: (name: string) => `End all sessions of ${name}?`,
    explanation: "All browsers are logged out. A new login is possible at once.",
    submit: "End the sessions",
    done: (name: string) => `All sessions of ${name} have ended.`
  },
  factorDialog: {
    title: (name: string) => `Remove the second factor of ${name}?`,
    explanation: "For a lost phone. The password alone is enough for the next login. All sessions end.",
    submit: "Remove the factor",
    done: (name: string) => `The second factor of ${name} was removed.`
  },
  removeDialog: {
    title: (name: string) => `Remove ${name}?`,
    explanation:
      "The user, all sessions and all API keys that the user has created end at once. This cannot be undone.",
    submit: "Remove the user",
    done: (name: string) => `${name} was removed.`
  },
  settings: "Settings",
  requireFactor: "Demand a second factor",
  requireFactorHint:
    "Users without one, you too, can do nothing else until they have set it up. Logins at an OpenID provider are not affected.",
  requireFactorDone: (isRequired: boolean) =>
    isRequired ? "A second factor is demanded now." : "A second factor is no longer demanded."
}

export const invitationTexts = {
  title: "Invitations",
  table: "Open invitations",
  none: "No invitation is open.",
  invite: "Invite",
  columns: { email: "E-mail", expiresAt: "Valid until" },
  notMailed: "not mailed",
  mailed: "mailed",
  resend: "Send again",
  resendNamed: (email: string) => `Send again to ${email}`,
  resent: (email: string) => `The invitation of ${email} is on its way again. Its earlier link no longer works.`,
  withdraw: "Withdraw",
  withdrawNamed: (email: string) => `Withdraw the invitation of ${email}`,
  withdrawDialog: {
    title: (email: string) => `Withdraw the invitation of ${email}?`,
    explanation: "Its link stops working at once.",
    submit: "Withdraw the invitation",
    done: (email: string) => `The invitation of ${email} was withdrawn.`
  },
  failed: "The invitation was not sent",
  createDialog: {
    title: "Invite a user",
    email: "E-mail",
    role: "Role",
    submit: "Send the invitation",
    sent: (email: string) => `The invitation of ${email} is on its way.`
  },
  linkDialog: {
    title: (email: string) => `Link for ${email}`,
    warning:
      "This server sends no mail. Hand this link over yourself: it is shown only now, works once and for seven days. Its holder can join your organisation.",
    label: "Link of the invitation",
    stored: "I have copied the link",
    held: "You are still looking at a link that is not shown again. Copy it, then close this with “Done”."
  }
}
