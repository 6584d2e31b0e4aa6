/** Why a phone gets no text messages. */
export const textMessages = {
  'no-mobile-number': 'This number cannot get text messages.',
  stopped: 'Texts to this number were stopped from the phone. Text START to us from it to get them again.',
  'too-many': 'Too many numbers were tried today. Please try again tomorrow.',
} as const
