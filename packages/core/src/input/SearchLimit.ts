/** Characters of a search text (specification, section 10). */
export const maximumSearchCharacters = 200
