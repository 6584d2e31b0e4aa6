import { paths } from '#content/paths.ts'

/** The consent text for the button or box next to it, with its legal basis. */
export function ConsentWords({ words }: { words: string }) {
  return (
    <span className="small">
      {words} <a href={paths.written('terms')}>Terms</a> · <a href={paths.written('privacy-policy')}>Privacy</a>
    </span>
  )
}
