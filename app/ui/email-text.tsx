/** An email address that, on a narrow line, breaks after its "@" rather than anywhere. */
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
