import { contentDisposition } from "@solar-sites/core"
import { expect, it } from "vitest"

it.each([
  ["lease.pdf", `attachment; filename="lease.pdf"; filename*=UTF-8''lease.pdf`],
  ['a"b\\c.pdf', `attachment; filename="a_b_c.pdf"; filename*=UTF-8''a%22b%5Cc.pdf`],
  ["100%.pdf", `attachment; filename="100_.pdf"; filename*=UTF-8''100%25.pdf`],
  ["Müller 🌞.pdf", `attachment; filename="M_ller _.pdf"; filename*=UTF-8''M%C3%BCller%20%F0%9F%8C%9E.pdf`],
  ["it's (1)*;x=y.pdf", `attachment; filename="it's (1)*;x=y.pdf"; filename*=UTF-8''it%27s%20%281%29%2A%3Bx%3Dy.pdf`],
  ["line\r\nbreak", `attachment; filename="line__break"; filename*=UTF-8''line%0D%0Abreak`]
])("keeps %j under its name", (filename, header) => {
  expect(contentDisposition(filename)).toBe(header)
})

it("shows a file without a name where it is", () => {
  expect(contentDisposition(null)).toBe("inline")
})
