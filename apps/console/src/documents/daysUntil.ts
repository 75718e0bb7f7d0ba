/**
 * Days of validity.
 */
const dayMillis = 86_400_000

/** Days from today to this date, in UTC as the API judges validity; negative for a past date. */
export const daysUntil = (date: string): number => {
  const today = new Date().toISOString().slice(0, 10)
  return (Date.parse(date) - Date.parse(today)) / dayMillis
}
