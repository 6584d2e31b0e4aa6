import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

/**
 * In the frame nothing runs, and nothing is loaded but pictures of tires and logos from this store, whatever an email has in
 * it.
 */
function policyOf(origin: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${origin}/pictures/ ${origin}/brand/; style-src-attr 'unsafe-inline'">`
}

/** The two parts of an email: its HTML in a sandboxed frame, and its text. Either may be empty. */
export function MailParts({ origin, html, text }: { origin: string; html: string; text: string }) {
  return (
    <>
      {html === '' ? null : (
        <Panel id="html" title="As most programs show it">
          <iframe
            className="office-mail"
            title="HTML part of the email"
            sandbox=""
            srcDoc={html.replace('<head>', `<head>${policyOf(origin)}`)}
          />
        </Panel>
      )}
      <Panel id="text" title="As text">
        <PanelBody>
          <pre className="office-words">{text}</pre>
        </PanelBody>
      </Panel>
    </>
  )
}
