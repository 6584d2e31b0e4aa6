import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'

/** Nothing is loaded and nothing runs in the frame, whatever an email has in it. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src-attr 'unsafe-inline'">`

/** The two parts of an email: its HTML in a sandboxed frame, and its text. Either may be empty. */
export function MailParts({ html, text }: { html: string; text: string }) {
  return (
    <>
      {html === '' ? null : (
        <Panel id="html" title="As most programs show it">
          <iframe
            className="office-mail"
            title="HTML part of the email"
            sandbox=""
            srcDoc={html.replace('<head>', `<head>${policy}`)}
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
