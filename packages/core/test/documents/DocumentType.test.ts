import { DocumentType } from "@solar-sites/core"
import { expect, it } from "vitest"

it("has the document types that users rely on", () => {
  expect(DocumentType.literals).toEqual([
    "ppa",
    "mcs_certificate",
    "string_layout",
    "om_ticket",
    "invoice",
    "equipment_register",
    "warranty_information",
    "handover_document",
    "ppm",
    "epc",
    "finance_agreements",
    "insurance",
    "land_lease",
    "om_contract",
    "spare_parts",
    "other"
  ])
})
