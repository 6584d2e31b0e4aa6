/** The fields for the TIN ranges of a recall, typed or from a file. */
export const rangeFields = {
  ranges: {
    label: 'TIN ranges',
    kind: 'area',
    rows: 5,
    max: 4_000,
    hint: 'A row each: plant, size or type code (may be empty), first week, last week. Such as 7B3,KXYZ,3425,0226',
  },
  file: { label: 'Or a CSV file of ranges', kind: 'file', accept: '.csv,text/csv,text/plain', isOptional: true },
} as const
