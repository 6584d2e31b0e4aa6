/** What each product of the sandbox's lender costs. The numbers are samples. */
export type Offer = {
  product: 'lease' | 'loan' | 'store-card'
  headline: string
  rows: { label: string; amount: number }[]
  disclosure: string
}

const leaseStartCents = 4_900
const leasePayments = 26
const loanMonths = 12
const loanYearlyRate = 0.1499

export function offersFor(amount: number): Offer[] {
  const payment = Math.round((amount * 1.9362) / leasePayments)
  const rate = loanYearlyRate / 12
  const month = Math.round((amount * rate) / (1 - (1 + rate) ** -loanMonths))
  return [
    {
      product: 'lease',
      headline: 'You rent the tires and own them after the last payment.',
      rows: [
        { label: 'Today, to start', amount: leaseStartCents },
        { label: `Then ${leasePayments} payments, every 2 weeks`, amount: payment },
        { label: 'Paid off within 90 days', amount: amount + leaseStartCents },
        { label: 'Total, yours after 12 months', amount: payment * leasePayments + leaseStartCents },
      ],
      disclosure:
        'It isn’t a loan. You can pay it off early, and the earlier you do, the less it costs. No credit history is needed.',
    },
    {
      product: 'loan',
      headline: `Example at ${(loanYearlyRate * 100).toFixed(2)}% APR`,
      rows: [
        { label: `${loanMonths} payments of`, amount: month },
        { label: 'Interest', amount: month * loanMonths - amount },
        { label: 'Total', amount: month * loanMonths },
      ],
      disclosure:
        'Your rate will be 10% to 36% APR, and you see it before you accept. Checking your rate doesn’t affect your credit score; taking the loan may.',
    },
    {
      product: 'store-card',
      headline: 'No interest if paid in full within 6 months',
      rows: [{ label: 'Six equal payments of', amount: Math.ceil(amount / 6) }],
      disclosure: 'Interest is charged from the purchase date if the balance is not paid in full within 6 months.',
    },
  ]
}
