/** The steps shown above both application pages, from the form to the first booking. */
export const applicationSteps = ['You apply', 'We check', 'You set up', 'Shoppers book'] as const satisfies readonly [
  string,
  string,
  string,
  string,
]
