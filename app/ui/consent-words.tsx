import { paths } from '#content/paths.ts'

/** The words that are agreed to by the button or box beside them, and what they rest on. */
export function ConsentWords({ words }: { words: string }) {
  return (
    <span className="small">
      {words} <a href={paths.written('terms')}>Terms</a> · <a href={paths.written('privacy-policy')}>Privacy</a>
    </span>
  )
}
