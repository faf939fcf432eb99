/** One message as plain text and HTML, made by templates.ts. */
export interface MailMessage {
  subject: string
  text: string
  html: string
}
