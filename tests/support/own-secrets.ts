/** Random secrets, as in a real store. */
import { randomBytes } from 'node:crypto'

export const ownSecrets = {
  SESSION_SECRET: randomBytes(32).toString('hex'),
  STRIPE_SECRET_KEY: 'sk_test_of_our_own',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_of_our_own',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_our_own',
  EASYPOST_API_KEY: 'EZTK_of_our_own',
  CARRIER_CALLBACK_SECRET: randomBytes(32).toString('base64url'),
}
