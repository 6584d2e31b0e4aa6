/** From the form to the first booking: the steps shown above both pages of an application. */
export const applicationSteps = ['You apply', 'We check', 'You set up', 'Shoppers book'] as const satisfies readonly [
  string,
  string,
  string,
  string,
]
