/** The form of a shop's profile, in the back office and in the portal: its values, before anything is typed. */
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { shopServices } from '#domain/installer-portal/shops/shops.ts'
import { phoneText } from '#platform/phone-text.ts'

/** Values by field; `services` are ticked one by one. */
export type ProfileFieldsView = {
  version: number
  values: Readonly<Record<string, string>>
  services: readonly { field: string; label: string; isTicked: boolean }[]
}

export function profileFieldsView(record: ShopRecord): ProfileFieldsView {
  const { name, kind, street, city, zip, phone, email, website, about, amenities, services, version } = record
  const { rimMinIn, rimMaxIn, aspectMin, receivingMinutes } = record
  return {
    version,
    values: {
      name,
      kind,
      street,
      city,
      zip,
      phone: phoneText(phone),
      email: email ?? '',
      website: website ?? '',
      about: about ?? '',
      amenities: amenities.join(', '),
      rimMinIn: String(rimMinIn),
      rimMaxIn: String(rimMaxIn),
      aspectMin: String(aspectMin),
      receivingMinutes: String(receivingMinutes),
    },
    services: Object.entries(shopServices).map(([key, label]) => ({
      field: `service-${key}`,
      label,
      isTicked: services.includes(key),
    })),
  }
}
