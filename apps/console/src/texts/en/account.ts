/** The own account: name, e-mail, password, sessions and second factor. */

export const accountTexts = {
  title: "My account",
  code: "Code",
  newPassword: "New password",
  newPasswordHint: (minimum: number) => `At least ${minimum} characters`,
  passwordMissing: "Enter a password",
  name: "Name",
  nameMissing: "Enter a name",
  currentPassword: "Current password",
  role: (organisation: string, role: string, description: string) => `${role} at ${organisation}. ${description}`,
  profile: "Profile",
  logins: "Last logins and changes",
  language: "Language",
  languageHint: "Applies to this browser. The page is loaded again.",
  languageOfBrowser: "As in the browser",
  notation: "Numbers and dates",
  notationOfBrowser: "As in the browser",
  notationOfLanguage: "As the language",
  notationExample: (number: string, date: string) => `Such as ${number} and ${date}. Applies to this browser.`,
  keys: "Keyboard shortcuts",
  keysOn: "Use shortcuts of one key",
  keysHint: "Such as G, J or ?. Shortcuts with Ctrl always work. Applies to this browser.",
  save: "Save",
  saved: "Your name was saved.",
  notSaved: "This was not saved",
  changeEmail: "Change e-mail …",
  noPassword: "You log in at your organisation's provider: password and e-mail address are kept there.",
  emailDialog: {
    title: "Change e-mail address",
    email: "New e-mail address",
    explanation: "A mail with a link goes to the new address. The change takes effect when the link is opened.",
    submit: "Send the link",
    done: (email: string) => `If ${email} is free, a mail with a link is on its way.`
  },
  changePassword: "Change password …",
  passwordDialog: {
    title: "Change password",
    explanation: "Your other sessions end.",
    submit: "Change the password",
    done: "Your password was changed; your other sessions have ended."
  }
}

export const digestTexts = {
  title: "Mails about documents",
  explanation: "A mail lists the documents that have expired, expire or are missing. Without any, no mail is sent.",
  choice: "How often",
  choices: { weekly: "Every Monday", daily: "Every day", none: "Never" },
  time: (time: string, timeZone: string) => `At ${time} (${timeZone}). A change counts from the next time on.`,
  saved: "Your choice was saved.",
  notSaved: "Your choice was not saved"
}

export const sessionTexts = {
  title: "Sessions",
  list: "Sessions",
  current: "This one",
  columns: { device: "Browser", createdAt: "Logged in", lastUsedAt: "Last used" },
  methods: { password: "with a password", oidc: "at the provider", link: "by an invitation" },
  unknownDevice: "Unknown browser",
  end: "End",
  endNamed: (device: string) => `End the session of ${device}`,
  ended: "The session has ended.",
  endOthers: "End all others …",
  endOthersDialog: {
    title: "End all other sessions?",
    explanation: "All other browsers in which you are logged in are logged out.",
    submit: "End them",
    done: "Your other sessions have ended."
  },
  failed: "The session was not ended"
}

export const factorTexts = {
  title: "Second factor",
  explanation:
    "With a second factor, a login asks for a code of an authenticator app after the password. A stolen password alone is then of no use.",
  off: "Switched off.",
  on: (since: string, codesLeft: number) => `Switched on, since ${since}. ${codesLeft} of 10 recovery codes are left.`,
  required: "Your organisation demands it, so it cannot be switched off.",
  setUp: "Set up …",
  renew: "New recovery codes …",
  disable: "Switch off …",
  demandedTitle: "Set up a second factor",
  demanded: (organisation: string) =>
    `${organisation} demands a second factor. Set one up to go on: you need an authenticator app on your phone or computer.`,
  setUpDialog: "Set up a second factor",
  next: "Continue",
  failed: "The second factor was not set up",
  passwordHint: "Confirm that it is you",
  scan: "Scan this picture with an authenticator app, or enter the key there. Then enter the code that the app shows.",
  qrCode: "QR code of the key",
  key: "Key",
  enable: "Switch on",
  codeMissing: "Enter the code of the app",
  recovery: {
    title: "Recovery codes",
    warning:
      "Each of these codes replaces the app once, such as after the loss of the phone. They are shown only now. Store them in a safe place.",
    list: "Recovery codes",
    fileName: "solar-sites-recovery-codes.txt",
    stored: "I have stored the codes in a safe place",
    held: "You are still looking at codes that are not shown again. Store them, then close this with “Done”."
  },
  renewDialog: {
    title: "New recovery codes",
    explanation: "The earlier recovery codes stop working.",
    submit: "Make new codes"
  },
  disableDialog: {
    title: "Switch the second factor off?",
    explanation: "The password alone is then enough to log in. Your other sessions end.",
    submit: "Switch off",
    done: "The second factor is switched off."
  }
}
