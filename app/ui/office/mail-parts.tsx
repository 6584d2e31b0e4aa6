import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

/**
 * The frame blocks scripts, and all resources except tire images and logos from this store, regardless of the email's
 * content.
 */
function policyOf(origin: string): string {
  return `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${origin}/pictures/ ${origin}/brand/; style-src-attr 'unsafe-inline'">`
}

/** An email in a sandboxed frame. */
export function MailFrame({ origin, html, title }: { origin: string; html: string; title: string }) {
  return (
    <iframe
      className="office-mail"
      title={title}
      sandbox=""
      srcDoc={html.replace('<head>', `<head>${policyOf(origin)}`)}
    />
  )
}

/** The two parts of an email, with its HTML in a sandboxed frame, and its text. Either may be empty. */
export function MailParts({ origin, html, text }: { origin: string; html: string; text: string }) {
  return (
    <>
      {html === '' ? null : (
        <Panel id="html" title="HTML">
          <MailFrame origin={origin} html={html} title="HTML part of the email" />
        </Panel>
      )}
      <Panel id="text" title="Plain text">
        <PanelBody>
          <pre className="office-words">{text}</pre>
        </PanelBody>
      </Panel>
    </>
  )
}
