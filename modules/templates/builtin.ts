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

/** That a domain is who they say: what the console of the service shows. */
const verification: TemplateVariable = {
  name: 'verification',
  label: 'Verification',
  description: 'The text that the console shows to prove the domain; leave it out when that is done',
}

/** What is done with mail that fails both SPF and DKIM (RFC 7489 section 6.3). */
const dmarc: TemplateVariable = {
  name: 'dmarc',
  label: 'DMARC policy',
  description: 'none, quarantine or reject; leave it out to set no DMARC record',
  pattern: 'none|quarantine|reject',
}
const dmarcRecord = txt('_dmarc', 'v=DMARC1; p={{dmarc}}')

/**
 * What comes with the service. Their ids stay. Each names where its facts were read, all on 2026-11-22, in copies kept
 * of public pages, not the pages themselves; what a service makes for each customer is a variable.
 */
export const BUILT_IN: readonly Template[] = [
  // Google's own pages could not be read. Guides of others that cite them:
  // app.dnspro.co.uk/articles/dns-records-needed-for-google-workspace (MX: smtp.google.com, and that aspmx and its
  // alternates go on), inboxgreen.email/guides/google-workspace (SPF), mxio.io/providers/google-workspace (the
  // selector `google`).
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
        description: 'As the admin console shows it: v=DKIM1; k=rsa; p=…',
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
  // Microsoft's own, as their sources stand at github.com/MicrosoftDocs: microsoft-365-docs,
  // external-domain-name-system-records.md of 2022-10 (autodiscover, SPF) and
  // create-dns-records-at-any-dns-hosting-provider.md (MX, typically 0; its host is a token to be copied, of which
  // the default is the usual form); defender-docs, email-authentication-dkim-configure.md of 2026-01 (for domains
  // added since May 2025 a part of the DKIM target is Microsoft's choice).
  builtIn(
    'microsoft-365',
    'Microsoft 365',
    'Mail at Exchange Online. The mail host is the one of the commercial cloud; DKIM targets are those that Defender shows',
    [
      {
        name: 'mailHost',
        label: 'Mail host',
        description: 'The target of the MX that the admin center shows',
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
  // Fastmail's own: www.fastmail.help/hc/en-us/articles/360060591153 (DKIM: fm1 to fm3).
  // mailflowauthority.com/email-authentication/fastmail-email-auth (their targets) and
  // mailermonk.com/guides/spf/fastmail (SPF, hosts of the MX); preferences as zones of its customers have them in
  // public sources.
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
  // Feishu's own pages could not be read: MX and SPF are what several zones of its customers have in their public
  // sources, which agree, also in the preferences 1, 5 and 10. Of Lark, its edition abroad, its own
  // larksuite.com/hc/en-US/articles/061274427780 (SPF). As they differ by edition, and its console shows them, the
  // hosts are defaults.
  builtIn(
    'feishu',
    'Feishu Mail',
    'Mail at Feishu. Compare with what its console shows; Lark has hosts at larksuite.com and spf.onlarksuite.com',
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
  // Alibaba's own: help.aliyun.com/document_detail/36771.html (SPF). Of a reseller, with MX and names for clients:
  // qiyealiyou.com/xinwendongtai/xingyedongtai/276.html. That DingTalk's mail has the same could not be confirmed:
  // its console shows what it wants.
  builtIn(
    'alibaba-mail',
    'Alibaba Mail and DingTalk Mail',
    'Mail at Alibaba. For DingTalk compare with what its console shows',
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
    'No mail comes from or to this domain',
    [],
    [mx('0 .'), txt('@', 'v=spf1 -all'), txt('_dmarc', 'v=DMARC1; p=reject')],
  ),
]

export const builtInById = (id: string): Template | undefined =>
  BUILT_IN.find((template) => template.id === id)
