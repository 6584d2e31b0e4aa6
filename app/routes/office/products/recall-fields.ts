/** The fields for the TIN ranges of a recall, typed or from a file. */
export const rangeFields = {
  ranges: {
    label: 'TIN ranges',
    kind: 'area',
    rows: 5,
    max: 4_000,
    hint: 'One range per line with plant, size or type code (optional), first week, and last week. For example, 7B3,KXYZ,3425,0226',
  },
  file: { label: 'Or a CSV file of ranges', kind: 'file', accept: '.csv,text/csv,text/plain', isOptional: true },
} as const
