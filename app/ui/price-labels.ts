/** Field labels for price list forms, in the portal and the back office. */
import {
  minutesField,
  priceField,
  pricedJobs,
  rimBands,
  rimBandText,
  serviceFields,
  timeFields,
} from '#domain/installer-portal/portal/portal.ts'
import { serviceKinds } from '#domain/scheduling/installers/installers.ts'

export const priceLabels: Record<string, string> = {
  from: 'From',
  kit: 'Sensor service kit',
  disposal: 'Disposal of an old tire',
  ...Object.fromEntries(timeFields.map(({ name, label }) => [name, label])),
  ...Object.fromEntries(
    serviceKinds.flatMap(({ key, name }) => {
      const { price, minutes } = serviceFields(key)
      return [
        [price, `${name}, dollars`],
        [minutes, `${name}, minutes`],
      ]
    }),
  ),
  ...Object.fromEntries(
    pricedJobs.flatMap(({ job, name }) =>
      rimBands.flatMap((band) => [
        [priceField(job, band[0]), `${name}, ${rimBandText(band)} in, dollars`],
        [minutesField(job, band[0]), `${name}, ${rimBandText(band)} in, minutes`],
      ]),
    ),
  ),
}
