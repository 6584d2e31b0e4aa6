/** Test fixtures with a new shop's onboarding forms as entered by its owner. */
export const typedPrices: Record<string, string> = {
  'standard-12': '20.00',
  'standard-17': '$22',
  'standard-19': '25',
  'standard-21': '28',
  'low-profile-12': '24',
  'low-profile-17': '26',
  'low-profile-19': '29',
  'low-profile-21': '32',
  kit: '6',
  disposal: '3.50',
}

/** Every step's form by path, except blackout days, which may be empty. */
export const typedSteps: Record<string, Record<string, string>> = {
  hours: Object.fromEntries(
    [1, 2, 3, 4, 5].flatMap((day) => [
      [`opens-${day}`, '480'],
      [`closes-${day}`, '1080'],
    ]),
  ),
  bays: { bays: '2', dropOffs: '1' },
  prices: typedPrices,
  lengths: { standard: '12', 'low-profile': '15', slot: '60' },
  'blackout-days': { intent: 'complete' },
}
