/** Test fixture with a price list form as entered by an owner. */
import { minutesField, priceField, pricedJobs, rimBands } from './portal.ts'

/** $30.00 and 20 minutes for standard and low-profile tires on every rim, without run-flats and light trucks. */
export function typedPriceList(change: Record<string, string> = {}): Record<string, string> {
  const jobs = pricedJobs.filter(({ isRequired }) => isRequired)
  return {
    intent: 'plan',
    from: '2026-12-01',
    ...Object.fromEntries(
      jobs.flatMap(({ job }) =>
        rimBands.flatMap(([rim]) => [
          [priceField(job, rim), '30.00'],
          [minutesField(job, rim), '20'],
        ]),
      ),
    ),
    kit: '6',
    disposal: '3.50',
    takeInMinutes: '5',
    sensorMinutes: '0',
    dualMinutes: '30',
    alignmentMinutes: '45',
    ...change,
  }
}
