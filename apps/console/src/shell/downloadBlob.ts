/**
 * Offers data as a file to store.
 */
export const downloadBlob = (fileName: string, data: Blob): void => {
  const href = URL.createObjectURL(data)
  Object.assign(document.createElement("a"), { href, download: fileName }).click()
  URL.revokeObjectURL(href)
}
