/** Uploads: the dialog before them, and the tray that shows them. */
import { asSentence, formatBytes, formatNumber } from "../formats.ts"

const filesOf = (count: number): string => (count === 1 ? "1 file" : `${formatNumber(count)} files`)

interface Limits {
  readonly maximumFileBytes: number
  readonly maximumCoverBytes: number
}

export const uploadTexts = {
  open: "Upload files",
  site: "Site",
  siteHint: "Search by name, address or external id.",
  goOn: "Go on",
  dialog: (site: string) => `Upload to ${site}`,
  dropOn: (site: string) => `Drop to upload to ${site}`,
  drop: "Drop files or folders here, or",
  choose: "Choose files",
  chooseMore: "Add files",
  chooseFolder: "Choose a folder",
  limits: ({ maximumCoverBytes, maximumFileBytes }: Limits) =>
    `Up to ${formatBytes(maximumFileBytes)} each; cover images (JPEG, PNG or WebP) up to ${formatBytes(maximumCoverBytes)}.`,
  allFiles: "All files",
  files: "Files to upload",
  purpose: "Used as",
  documentType: "Kind of document",
  noDocumentType: "Not said",
  neededTypes: "Needed for this site",
  otherTypes: "Other kinds",
  different: "Different",
  validFrom: "Valid from",
  validUntil: "Valid until",
  datesPerFile: "Validity per file …",
  omRecordId: "O&M record",
  of: (label: string, filename: string) => `${label}: ${filename}`,
  by: (filename: string) => `by ${filename}`,
  replaces: "Replaces",
  replacesChoose: "Replace a document …",
  replacesSearch: "Search the documents of this site",
  replacesNone: "No current document fits",
  replacesName: (filename: string) => `Replaces ${filename}`,
  replacesClear: (filename: string) => `Replace no document by ${filename}`,
  removeDraft: (filename: string) => `Leave out ${filename}`,
  unknownType: "unknown type",
  pages: "Pages of files",
  page: (page: number) => `Page ${page} of files`,
  previousPage: "Previous files",
  nextPage: "Next files",
  faultsTitle: (count: number) => `${filesOf(count)} will not be sent`,
  fault: (filename: string, fault: string) => `${filename}: ${fault}`,
  moreFaults: (count: number) => `and ${formatNumber(count)} more`,
  tooMany: (maximum: number) => `At most ${formatNumber(maximum)} files are sent at once. The others are left out.`,
  empty: "The file is empty.",
  badName: (rule: string) => `The filename ${rule}.`,
  tooLarge: (purpose: string, { maximumCoverBytes, maximumFileBytes }: Limits) =>
    `Larger than ${formatBytes(purpose === "coverImage" ? maximumCoverBytes : maximumFileBytes)}.`,
  omRecordMissing: "Say which O&M record the file belongs to.",
  validityReversed: "The validity ends before it begins.",
  send: (count: number) => `Upload ${filesOf(count)}`,

  tray: "Uploads",
  trayUnderWay: (count: number) => `Uploading ${filesOf(count)}`,
  trayDone: "Uploads finished",
  trayFaults: (count: number) => `${filesOf(count)} not uploaded`,
  expand: "Show the uploads",
  collapse: "Hide the uploads",
  progress: (name: string) => `Progress of ${name}`,
  sent: (sent: number, total: number) => `${formatBytes(sent)} of ${formatBytes(total)}`,
  offline: "You are offline. What is interrupted can be sent again when you are back.",
  states: {
    waiting: "Waiting",
    sending: "Sending",
    checking: "Checking",
    uploaded: "Uploaded",
    refused: "Refused",
    interrupted: "Interrupted",
    failed: "Failed",
    stopped: "Stopped"
  },
  noAnswer: "no answer for this file",
  noConnection: "The connection was lost.",
  noStorage: (origin: string) =>
    `No answer from ${origin}, where files are stored: it cannot be reached, or this page may not send files there. Open the console at the address that the server prints, or have its operator set PUBLIC_URL.`,
  tooSlow: "The file was not sent in time.",
  documentFailed: (reason: string) =>
    reason === "" ? "The service has failed the document." : `The service has failed the document: ${reason}.`,
  code: (code: string, detail: string) => `${asSentence(detail)} (${code})`,
  retry: (name: string) => `Send again: ${name}`,
  retryShort: "Send again",
  retryAll: (count: number) => `Send ${filesOf(count)} again`,
  dismiss: (name: string) => `Remove ${name} from this list`,
  stop: (name: string) => `Stop sending ${name}`,
  stopAll: "Stop all",
  dismissUploaded: "Clear uploaded",
  dismissStopped: "Clear stopped",
  moreWaiting: (count: number) => `${filesOf(count)} more to send`,
  moreFaulty: (count: number) => `${filesOf(count)} more not uploaded`,
  moreUploaded: (count: number) => `${filesOf(count)} more uploaded`,
  summary: (uploaded: number, all: number) => `${formatNumber(uploaded)} of ${filesOf(all)} uploaded`
}
