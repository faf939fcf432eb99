import { escapeHtml } from '../http/html.ts'
import type { MailMessage } from './message.ts'

/** The content of a message, in plain text. */
interface MailContent {
  subject: string
  /** Paragraphs before the code or link. */
  paragraphs: readonly string[]
  /** A code to enter. */
  code?: string
  /** `url`: an address of this service. */
  link?: { label: string; url: string }
  /** Paragraphs after it: what to do if the message is unexpected. */
  closing?: readonly string[]
  /** Public URL of the service, for the footer. */
  siteUrl: string
}

/** Lays a message out. All content is text, never HTML, and nothing is loaded from elsewhere. */
export function composeMail(content: MailContent): MailMessage {
  return { subject: content.subject, text: asText(content), html: asHtml(content) }
}

function asText({ paragraphs, code, link, closing = [], siteUrl }: MailContent): string {
  const parts = [
    ...paragraphs,
    ...(code === undefined ? [] : [`    ${code}`]),
    ...(link === undefined ? [] : [`${link.label}:\n${link.url}`]),
    ...closing,
    `-- \nZonekeeper, ${siteUrl}`,
  ]
  return parts.join('\n\n') + '\n'
}

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

function asHtml({ subject, paragraphs, code, link, closing = [], siteUrl }: MailContent): string {
  const body = [
    ...paragraphs.map(paragraph),
    ...(code === undefined
      ? []
      : [
          `<p style="font:600 28px ui-monospace,Menlo,Consolas,monospace;letter-spacing:4px">${escapeHtml(code)}</p>`,
        ]),
    ...(link === undefined ? [] : [linkParagraphs(link)]),
    ...closing.map(paragraph),
    `<p style="color:#666;font-size:13px">Zonekeeper, ${escapeHtml(siteUrl)}</p>`,
  ]
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#fff;color:#1a1a1a;${FONT};font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
${body.join('\n')}
</div>
</body>
</html>
`
}

const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`

// The URL is shown too, for those who prefer to copy it.
const linkParagraphs = ({ label, url }: { label: string; url: string }) =>
  `<p><a href="${escapeHtml(url)}" style="color:#0b57d0;font-weight:600">${escapeHtml(label)}</a></p>
<p style="color:#666;font-size:13px;word-break:break-all">${escapeHtml(url)}</p>`
