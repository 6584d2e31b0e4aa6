/** Shown to staff and shops if their provider sends emails without a verification status. */
export const verificationUnstated =
  'Your sign-in service didn’t say whether your email is verified, so we can’t use it to find your role. Ask the person who runs this store to check the setting OIDC_ASSUME_EMAIL_VERIFIED.'
