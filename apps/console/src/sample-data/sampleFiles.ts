/**
 * Small real files of the sample data, made in the browser.
 */

const pdfHeader = "%PDF-1.4\n"

// Text of a PDF is in parentheses, here in Latin letters only.
const escaped = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .replaceAll(/[\\()]/g, "\\$&")

/** One page of lines, the first one large. */
export const makePdf = (lines: ReadonlyArray<string>): Blob => {
  const shown = lines.map((line, index) => `/F1 ${index === 0 ? 22 : 12} Tf (${escaped(line)}) Tj 0 -28 Td`)
  const content = `BT 60 760 Td ${shown.join(" ")} ET`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`)
  const starts = objects.map((_, index) => pdfHeader.length + objects.slice(0, index).join("").length)
  const body = pdfHeader + objects.join("")
  const entries = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return new Blob([body, table, trailer], { type: "application/pdf" })
}

const width = 480
const height = 300

const panel = (context: CanvasRenderingContext2D, x: number, y: number): void => {
  context.fillStyle = "#16365c"
  context.fillRect(x, y, 62, 36)
  context.strokeStyle = "#7ea6cf"
  context.lineWidth = 1
  for (let column = 0; column <= 4; column += 1) context.strokeRect(x + column * 12.4, y, 12.4, 36)
  context.strokeRect(x, y + 18, 62, 0.5)
}

/** A drawing of solar panels on a field. */
export const makePicture = (): Promise<Blob> => {
  const canvas = document.createElement("canvas")
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext("2d")
  if (context !== null) {
    const sky = context.createLinearGradient(0, 0, 0, height)
    sky.addColorStop(0, "#8cc5e8")
    sky.addColorStop(0.5, "#e6f3fa")
    context.fillStyle = sky
    context.fillRect(0, 0, width, height)
    context.fillStyle = "#7da35a"
    context.fillRect(0, 130, width, height - 130)
    for (let row = 0; row < 3; row += 1) {
      for (let column = 0; column < 6; column += 1) panel(context, 24 + column * 74, 150 + row * 48)
    }
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture was made")) : resolve(blob)), "image/png")
  )
}
