/** One message to one person, as plain text and as HTML; templates.ts makes it. */
export interface MailMessage {
  subject: string
  text: string
  html: string
}
