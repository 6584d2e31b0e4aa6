import { CopyButton } from '#app/ui/office/copy-button.tsx'
import { officePaths } from '#content/office-paths.ts'

/**
 * The codes that the customer shows at the shop. They are shown on request, because every showing is in the audit log.
 */
export function CodeRows({
  orderId,
  codes,
  once,
}: {
  orderId: number
  codes: { completion: string; dropOff: string | null } | null
  once: string
}) {
  const action = `${officePaths.officeOrder(orderId)}#appointment`
  return (
    <div className="office-codes">
      {codes ? (
        <dl className="office-values">
          <Code label="Completion code" code={codes.completion} />
          {codes.dropOff === null ? null : <Code label="Drop-off code" code={codes.dropOff} />}
        </dl>
      ) : (
        <p className="office-note">The completion code proves at the shop that the work was done.</p>
      )}
      <form method="post" action={action} className="office-line">
        <input type="hidden" name="once" value={once} />
        {codes ? null : (
          <button className="btn quiet" name="intent" value="codes">
            Show codes
          </button>
        )}
        <button className="btn quiet" name="intent" value="send-codes">
          Send codes again
        </button>
      </form>
      <p className="office-note">Each time you show or send codes, it’s recorded in the audit log.</p>
    </div>
  )
}

function Code({ label, code }: { label: string; code: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b className="office-code">{code}</b> <CopyButton text={code.replaceAll(' ', '')} label="Copy" isLink />
      </dd>
    </div>
  )
}
