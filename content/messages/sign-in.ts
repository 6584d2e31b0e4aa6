/** Shown to staff and shops: their provider sends emails without saying whether they are verified. */
export const verificationUnstated =
  'Your sign-in service didn’t say whether your email is verified, so we can’t use it to find your role. Ask the person who runs this store to check the setting OIDC_ASSUME_EMAIL_VERIFIED.'
