import { formatCents } from '#platform/money.ts'

/** "$246.00 with $16.00 freight", or only the cost without freight. Both are in cents. */
export function landedText({ costCents, freightCents }: { costCents: number; freightCents: number }): string {
  return freightCents === 0
    ? formatCents(costCents)
    : `${formatCents(costCents)} with ${formatCents(freightCents)} freight`
}
