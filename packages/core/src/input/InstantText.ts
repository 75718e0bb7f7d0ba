/**
 * Instants as text, about four times as fast as `Date`: they are a large part of the cost of a page.
 */

const day = 86_400_000
const digits = (count: number) => Array.from({ length: 10 ** count }, (_, value) => String(value).padStart(count, "0"))
const [two, three] = [digits(2), digits(3)]

/**
 * The date (proleptic Gregorian) of a day counted from 1970-01-01, for years 1 to 9999. `| 0`
 * divides integers: all values are positive and below 2^31.
 */
const dateText = (days: number): string => {
  // Here years begin on 1 March, so that a leap day is the last day of its year. The calendar
  // repeats every 400 years.
  const sinceStart = days + 719_468
  const cycle = (sinceStart / 146_097) | 0
  const dayOfCycle = sinceStart - cycle * 146_097
  const yearOfCycle =
    ((dayOfCycle - ((dayOfCycle / 1_460) | 0) + ((dayOfCycle / 36_524) | 0) - ((dayOfCycle / 146_096) | 0)) / 365) | 0
  const dayOfYear = dayOfCycle - (365 * yearOfCycle + (yearOfCycle >> 2) - ((yearOfCycle / 100) | 0))
  const month = ((5 * dayOfYear + 2) / 153) | 0
  const dayOfMonth = dayOfYear - (((153 * month + 2) / 5) | 0) + 1
  const year = cycle * 400 + yearOfCycle + (month < 10 ? 0 : 1)
  const century = (year / 100) | 0
  return `${two[century]}${two[year - century * 100]}-${two[month < 10 ? month + 3 : month - 9]}-${two[dayOfMonth]}`
}

const [firstDay, lastDay] = [-719_162, 2_932_896]

/** RFC 3339 in UTC with milliseconds, identical to `Date.prototype.toISOString`. */
export const instantText = (milliseconds: number): string => {
  const days = Math.floor(milliseconds / day)
  if (days < firstDay || days > lastDay) return new Date(milliseconds).toISOString()
  const rest = milliseconds - days * day
  const minutes = (rest / 60_000) | 0
  const hours = (minutes / 60) | 0
  const inMinute = rest - minutes * 60_000
  const seconds = (inMinute / 1_000) | 0
  const time = `${two[hours]}:${two[minutes - hours * 60]}:${two[seconds]}.${three[inMinute - seconds * 1_000]}`
  return `${dateText(days)}T${time}Z`
}
