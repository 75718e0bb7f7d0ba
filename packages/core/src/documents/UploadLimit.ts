/** Files of one request for upload addresses (given). */
export const maximumUploadFiles = 20
