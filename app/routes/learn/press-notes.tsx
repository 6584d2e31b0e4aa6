/** The demo's press releases are samples. */
export function SampleNote({ demo }: { demo: boolean }) {
  return demo ? (
    <p className="notice small">
      <span className="strong">Sample.</span> This is a demo store. These pieces describe what its software does; no
      company announced them.
    </p>
  ) : null
}

export function PressContact({ email }: { email: string }) {
  return (
    <p className="small muted">
      Writing about tires, prices or fitment? Ask us at <a href={`mailto:${email}?subject=Press`}>{email}</a>.
    </p>
  )
}
