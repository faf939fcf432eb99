/** Built-in templates, keyed by the service's English. */
export const builtInTexts: Readonly<Record<string, string>> = {
  'Mail at Google Workspace': 'Google Workspace 邮箱',
  'Mail at Exchange Online. The mail host is that of the commercial cloud; Defender shows the DKIM targets':
    'Exchange Online 邮箱。邮件主机适用于商业云；DKIM 目标以 Defender 显示的为准',
  'Mail at Fastmail': 'Fastmail 邮箱',
  'Feishu Mail': '飞书邮箱',
  'Mail at Feishu. Compare with its console; Lark uses hosts at larksuite.com and spf.onlarksuite.com':
    '飞书的企业邮箱。请与其管理后台显示的内容核对；Lark 的主机位于 larksuite.com 和 spf.onlarksuite.com',
  'Alibaba Mail and DingTalk Mail': '阿里邮箱和钉钉邮箱',
  'Mail at Alibaba. For DingTalk, compare with its console':
    '阿里巴巴的企业邮箱。使用钉钉邮箱时，请与其管理后台显示的内容核对',
  'Parked domain': '不收发邮件的域名',
  'The domain neither sends nor receives mail': '此域名既不发送也不接收邮件',
  Verification: '域名验证文本',
  'The verification text from the console; remove it once the domain is verified':
    '管理后台显示的、用于证明域名归属的文本；完成验证后可留空',
  'DMARC policy': 'DMARC 策略',
  'none, quarantine or reject; leave it out to set no DMARC record':
    'none、quarantine 或 reject；留空则不设置 DMARC 记录',
  'DKIM selector': 'DKIM 选择器',
  'DKIM key': 'DKIM 密钥',
  'As shown in the admin console: v=DKIM1; k=rsa; p=…': '照管理后台所示填写：v=DKIM1; k=rsa; p=…',
  'Mail host': '邮件主机',
  'The MX target shown in the admin center': '管理中心显示的 MX 目标',
  'Target of selector1': 'selector1 的目标',
  'Target of selector2': 'selector2 的目标',
  'Mail hosts': '邮件主机所在的域名',
  SPF: 'SPF 所引用的域名',
}
