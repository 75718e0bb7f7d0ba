/** The documents of a site, and uploads. */
import type { Document } from "@solar-sites/http-node/client"
import { asSentence, formatBytes, formatNumber } from "./formats.ts"

const filesOf = (count: number): string => (count === 1 ? "1 file" : `${formatNumber(count)} files`)

const states: Record<Document["status"], string> = {
  pending: "Waiting for its file",
  uploaded: "To be reviewed",
  approved: "Approved",
  completed: "Completed",
  failed: "Failed"
}

const purposes: Record<Document["type"], string> = {
  documents: "Site document",
  "om-documents": "O&M document",
  coverImage: "Cover image",
  report: "Report"
}

const documentTypes: Record<NonNullable<Document["documentType"]>, string> = {
  ppa: "PPA",
  mcs_certificate: "MCS certificate",
  string_layout: "String layout",
  om_ticket: "O&M ticket",
  invoice: "Invoice",
  equipment_register: "Equipment register",
  warranty_information: "Warranty information",
  handover_document: "Handover document",
  ppm: "PPM",
  epc: "EPC",
  finance_agreements: "Finance agreements",
  insurance: "Insurance",
  land_lease: "Land lease",
  om_contract: "O&M contract",
  spare_parts: "Spare parts",
  other: "Other"
}

export const documentTexts = {
  title: "Documents",
  states,
  purposes,
  documentTypes,
  none: "This site has no documents yet",
  noneHint: "Drop files above, or choose them.",
  columns: { filename: "File", kind: "Kind", size: "Size", state: "State", createdAt: "Added" },
  actions: (name: string) => `Actions for ${name}`,
  download: "Download",
  approve: "Approve",
  reject: "Reject …",
  complete: "Complete",
  lookAgain: "Look for the file again",
  sendAgain: "Send the file again …",
  delete: "Delete …",
  failed: "This was not done",
  omRecord: (id: string) => `O&M record ${id}`,
  rejectTitle: (name: string) => `Reject ${name}?`,
  rejectReason: "Reason",
  rejectHint: "The sender of the file reads this.",
  rejectAction: "Reject",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteHint: "The document and its file are deleted. There is no way back.",
  deleteAction: "Delete document",
  deleted: (name: string) => `${name} was deleted.`
}

export const uploadTexts = {
  title: "Add documents",
  purpose: "Used as",
  documentType: "Kind of document",
  noDocumentType: "Not said",
  omRecordId: "O&M record",
  omRecordMissing: "Say which O&M record the files belong to.",
  drop: "Drop files here, or",
  choose: "Choose files",
  limits: (bytes: number) => `Up to ${formatBytes(bytes)} each.`,
  coverLimits: (bytes: number) => `JPEG, PNG or WebP, up to ${formatBytes(bytes)}. The latest one is the cover.`,
  list: "Files on their way",
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
    failed: "Failed"
  },
  noConnection: "The connection was lost.",
  noStorage: (origin: string) =>
    `No answer from ${origin}, where files are stored: it cannot be reached, or this page may not send files there. Open the console at the address that the server prints, or have its operator set PUBLIC_URL.`,
  tooSlow: "The file was not sent in time.",
  documentFailed: (reason: string) =>
    reason === "" ? "The service has failed the document." : `The service has failed the document: ${reason}.`,
  code: (code: string, detail: string) => `${asSentence(detail)} (${code})`,
  retry: (name: string) => `Send again: ${name}`,
  retryShort: "Send again",
  dismiss: (name: string) => `Remove ${name} from this list`,
  stop: (name: string) => `Stop sending ${name}`,
  dismissUploaded: "Clear uploaded",
  summary: (uploaded: number, all: number) => `${formatNumber(uploaded)} of ${filesOf(all)} uploaded`
}
