import { useState } from 'react'

/** Copies text to the clipboard, and confirms it. Without script, the text next to it can be copied by hand. */
export function CopyButton({ text, label, isLink = false }: { text: string; label: string; isLink?: boolean }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className={isLink ? 'link with-script' : 'btn quiet with-script'}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => {},
        )
      }}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </button>
  )
}
