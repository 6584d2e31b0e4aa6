/** Messages for technical problems (specification, section 8), verbatim. */
export const technicalMessages = {
  wrong: 'Oops, something went wrong',
  tryAgain: 'Oops, something went wrong! Please try again.',
  missing: 'The page you are looking for is missing.',
  fault: "We're experiencing a technical problem. Please try again.",
  notLocated: 'Your browser was not able to retrieve your location',
  noGeolocation: 'Sorry, but Geolocation is not supported by this browser.',
  noMap: 'Google Map cannot be loaded right now',
} as const
