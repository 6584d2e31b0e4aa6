/** Test fixtures with the form of a shop in Chicago as entered. */
const week = Object.fromEntries(
  [1, 2, 3, 4, 5].flatMap((day) => [
    [`opens-${day}`, '450'],
    [`closes-${day}`, '1080'],
  ]),
)

export const typedApplication: Record<string, string> = {
  company: 'Western & Cullom Tire',
  street: '4318 N Western Ave',
  city: 'Chicago',
  state: 'IL',
  zip: '60618',
  shopPhone: '(773) 555-0164',
  shopWebsite: 'wctire.example',
  ownerFirstName: 'Renata',
  ownerLastName: 'Kowal',
  ownerEmail: 'renata@wctire.example',
  ownerPhone: '1 773 555 0190',
  leadFirstName: 'Theo',
  leadLastName: 'Brandt',
  leadEmail: 'theo@wctire.example',
  leadPhone: '773-555-0127',
  'tire-sensors': '1',
  'tire-run-flat': '1',
  'other-brakes': '1',
  ...week,
  'opens-6': '480',
  'closes-6': '840',
  agree: '1',
}
