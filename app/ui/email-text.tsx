/** An email address, which breaks after its "@" rather than anywhere when its line is too short. */
export function EmailText({ email }: { email: string }) {
  const host = email.lastIndexOf('@') + 1
  return (
    <>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </>
  )
}
