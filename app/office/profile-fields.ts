/** The shop profile's fields, for both the staff form and the owner's form. */
import type { FormField } from '#app/office/form-fields.tsx'
import type { ProfileFieldsView } from '#app/views/shop-profile-fields.server.ts'

/** What a shopper reads first, and where the shop is. */
export function identityFields({ values }: ProfileFieldsView): Record<string, FormField> {
  return {
    name: { label: 'Name', value: values['name'], max: 80 },
    phone: { label: 'Phone', value: values['phone'], kind: 'phone', max: 40 },
    street: { label: 'Street', value: values['street'], max: 100 },
    city: { label: 'City', value: values['city'], max: 60 },
    zip: { label: 'ZIP code', value: values['zip'], max: 5, hint: 'State and time zone follow from it.' },
    email: {
      label: 'Email',
      value: values['email'],
      kind: 'email',
      isOptional: true,
      hint: 'For the store. Not shown.',
    },
    website: { label: 'Website', value: values['website'], max: 200, isOptional: true },
  }
}

/** What the shop does, and which tires it takes. */
export function offerFields({ values, services }: ProfileFieldsView): Record<string, FormField> {
  return {
    about: { label: 'Description', value: values['about'], kind: 'area', max: 1_000, rows: 4, isOptional: true },
    amenities: {
      label: 'Amenities',
      value: values['amenities'],
      max: 600,
      isOptional: true,
      hint: 'With commas between them, such as Waiting room, Wi-Fi.',
    },
    rimMinIn: { label: 'Smallest rim, in', value: values['rimMinIn'], kind: 'number' },
    rimMaxIn: { label: 'Largest rim, in', value: values['rimMaxIn'], kind: 'number' },
    aspectMin: { label: 'Lowest aspect ratio', value: values['aspectMin'], kind: 'number' },
    receivingMinutes: {
      label: 'Minutes from delivery to the first job',
      value: values['receivingMinutes'],
      kind: 'number',
    },
    ...Object.fromEntries(
      services.map(({ field, label, isTicked }): [string, FormField] => [field, { label, kind: 'tick', isTicked }]),
    ),
  }
}
