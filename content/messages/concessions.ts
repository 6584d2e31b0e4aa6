/** Messages about staff limits, for the back office and its commands. */
export const concessionMessages = {
  requested: 'Sent for approval. Another team member must approve it first.',
  'over-your-limit': 'This exceeds what you may give. Ask a team member who approves refunds.',
  'not-fresh':
    'Your last sign-in was more than 10 minutes ago. Sign in again in another tab, then submit this form again.',
  waiting: 'Waiting for a second person',
  /** `what` is given by another team member, such as "schedule it". */
  toApprove: (requestedBy: string, what: string) =>
    `${requestedBy} requested approval. Another team member with approval rights must ${what}.`,
} as const
