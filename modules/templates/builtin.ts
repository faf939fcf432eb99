import type { Template, TemplateRecord, TemplateVariable } from './schemas.ts'

const builtIn = (
  id: string,
  name: string,
  description: string,
  variables: TemplateVariable[],
  records: TemplateRecord[],
): Template => ({
  id,
  name,
  description,
  variables,
  records,
  builtIn: true,
  shared: true,
  ownerId: null,
  createdAt: null,
  updatedAt: null,
})

const mx = (value: string): TemplateRecord => ({ recordType: 'MX', name: '@', value })
const txt = (name: string, value: string): TemplateRecord => ({ recordType: 'TXT', name, value })
const cname = (name: string, value: string): TemplateRecord => ({ recordType: 'CNAME', name, value })

const HOST = '[A-Za-z0-9._-]+'

/** Domain verification, as the service's console shows it. */
const verification: TemplateVariable = {
  name: 'verification',
  label: 'Verification',
  description: 'The verification text from the console; remove it once the domain is verified',
}

/** The policy for mail that fails SPF and DKIM (RFC 7489 section 6.3). */
const dmarc: TemplateVariable = {
  name: 'dmarc',
  label: 'DMARC policy',
  description: 'none, quarantine or reject; leave it out to set no DMARC record',
  pattern: 'none|quarantine|reject',
}
const dmarcRecord = txt('_dmarc', 'v=DMARC1; p={{dmarc}}')

/**
 * Built-in templates with stable ids. Each names its sources, read on 2026-11-22 in public copies; values a
 * service creates per customer are variables.
 */
export const BUILT_IN: readonly Template[] = [
  // Google's own pages were not available. Guides that cite them:
  // app.dnspro.co.uk/articles/dns-records-needed-for-google-workspace (MX: smtp.google.com; aspmx and its
  // alternates still work), inboxgreen.email/guides/google-workspace (SPF),
  // mxio.io/providers/google-workspace (the selector `google`).
  builtIn(
    'google-workspace',
    'Google Workspace',
    'Mail at Google Workspace',
    [
      verification,
      { name: 'dkimSelector', label: 'DKIM selector', default: 'google', pattern: HOST },
      {
        name: 'dkimKey',
        label: 'DKIM key',
        description: 'As shown in the admin console: v=DKIM1; k=rsa; p=…',
      },
      dmarc,
    ],
    [
      mx('1 smtp.google.com'),
      txt('@', 'v=spf1 include:_spf.google.com ~all'),
      txt('@', '{{verification}}'),
      txt('{{dkimSelector}}._domainkey', '{{dkimKey}}'),
      dmarcRecord,
    ],
  ),
  // Microsoft's documentation at github.com/MicrosoftDocs: microsoft-365-docs,
  // external-domain-name-system-records.md of 2022-10 (autodiscover, SPF) and
  // create-dns-records-at-any-dns-hosting-provider.md (MX, typically 0; the default host is the usual form of
  // its token); defender-docs, email-authentication-dkim-configure.md of 2026-01 (for domains added since May
  // 2025, Microsoft chooses part of the DKIM target).
  builtIn(
    'microsoft-365',
    'Microsoft 365',
    'Mail at Exchange Online. The mail host is that of the commercial cloud; Defender shows the DKIM targets',
    [
      {
        name: 'mailHost',
        label: 'Mail host',
        description: 'The MX target shown in the admin center',
        required: true,
        default: '{{dashedDomain}}.mail.protection.outlook.com',
      },
      verification,
      { name: 'dkim1', label: 'Target of selector1', pattern: HOST },
      { name: 'dkim2', label: 'Target of selector2', pattern: HOST },
      dmarc,
    ],
    [
      mx('0 {{mailHost}}'),
      txt('@', 'v=spf1 include:spf.protection.outlook.com -all'),
      txt('@', '{{verification}}'),
      cname('autodiscover', 'autodiscover.outlook.com'),
      cname('selector1._domainkey', '{{dkim1}}'),
      cname('selector2._domainkey', '{{dkim2}}'),
      dmarcRecord,
    ],
  ),
  // Fastmail's documentation: www.fastmail.help/hc/en-us/articles/360060591153 (DKIM: fm1 to fm3).
  // mailflowauthority.com/email-authentication/fastmail-email-auth (their targets) and
  // mailermonk.com/guides/spf/fastmail (SPF, MX hosts); priorities as in public zones of its customers.
  builtIn(
    'fastmail',
    'Fastmail',
    'Mail at Fastmail',
    [dmarc],
    [
      mx('10 in1-smtp.messagingengine.com'),
      mx('20 in2-smtp.messagingengine.com'),
      txt('@', 'v=spf1 include:spf.messagingengine.com ?all'),
      cname('fm1._domainkey', 'fm1.{{domain}}.dkim.fmhosted.com'),
      cname('fm2._domainkey', 'fm2.{{domain}}.dkim.fmhosted.com'),
      cname('fm3._domainkey', 'fm3.{{domain}}.dkim.fmhosted.com'),
      dmarcRecord,
    ],
  ),
  // Feishu's own pages were not available: MX and SPF are those of several public customer zones, which
  // agree, including the priorities 1, 5 and 10. For Lark, the international edition:
  // larksuite.com/hc/en-US/articles/061274427780 (SPF). The hosts are defaults because they differ by
  // edition.
  builtIn(
    'feishu',
    'Feishu Mail',
    'Mail at Feishu. Compare with its console; Lark uses hosts at larksuite.com and spf.onlarksuite.com',
    [
      { name: 'mailDomain', label: 'Mail hosts', required: true, default: 'feishu.cn', pattern: HOST },
      { name: 'spfHost', label: 'SPF', required: true, default: '_netblocks.m.feishu.cn', pattern: HOST },
      verification,
      { name: 'dkimSelector', label: 'DKIM selector', pattern: HOST },
      { name: 'dkimKey', label: 'DKIM key' },
      dmarc,
    ],
    [
      mx('1 mx1.{{mailDomain}}'),
      mx('5 mx2.{{mailDomain}}'),
      mx('10 mx3.{{mailDomain}}'),
      txt('@', 'v=spf1 +include:{{spfHost}} -all'),
      txt('@', '{{verification}}'),
      txt('{{dkimSelector}}._domainkey', '{{dkimKey}}'),
      dmarcRecord,
    ],
  ),
  // Alibaba's documentation: help.aliyun.com/document_detail/36771.html (SPF). MX and client names from a
  // reseller: qiyealiyou.com/xinwendongtai/xingyedongtai/276.html. Whether DingTalk's mail uses the same
  // values could not be confirmed; its console shows them.
  builtIn(
    'alibaba-mail',
    'Alibaba Mail and DingTalk Mail',
    'Mail at Alibaba. For DingTalk, compare with its console',
    [
      verification,
      { name: 'dkimSelector', label: 'DKIM selector', pattern: HOST },
      { name: 'dkimKey', label: 'DKIM key' },
      dmarc,
    ],
    [
      mx('5 mx1.qiye.aliyun.com'),
      mx('10 mx2.qiye.aliyun.com'),
      mx('15 mx3.qiye.aliyun.com'),
      txt('@', 'v=spf1 include:spf.qiye.aliyun.com -all'),
      txt('@', '{{verification}}'),
      cname('mail', 'qiye.aliyun.com'),
      cname('smtp', 'smtp.qiye.aliyun.com'),
      cname('imap', 'imap.qiye.aliyun.com'),
      cname('pop3', 'pop.qiye.aliyun.com'),
      txt('{{dkimSelector}}._domainkey', '{{dkimKey}}'),
      dmarcRecord,
    ],
  ),
  // RFC 7505 (null MX), RFC 7208 section 2.6.4 (no host may send), RFC 7489 section 6.3.
  builtIn(
    'parked',
    'Parked domain',
    'The domain neither sends nor receives mail',
    [],
    [mx('0 .'), txt('@', 'v=spf1 -all'), txt('_dmarc', 'v=DMARC1; p=reject')],
  ),
]

export const builtInById = (id: string): Template | undefined =>
  BUILT_IN.find((template) => template.id === id)
