"""Letters that are encoded a second time for how they look: ligatures, Chinese radicals, joined Arabic.

PDFs often have these in place of the letters that people type.
"""

import unicodedata

LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
# As Unicode's EquivalentUnifiedIdeograph has them; the database of Python knows those of two of them alone.
_RADICALS = {
    0x2E81: "厂",
    0x2E82: "乛",
    0x2E83: "乚",
    0x2E84: "乙",
    0x2E85: "亻",
    0x2E86: "冂",
    0x2E88: "刀",
    0x2E89: "刂",
    0x2E8A: "卜",
    0x2E8B: "㔾",
    0x2E8C: "小",
    0x2E8D: "小",
    0x2E8E: "兀",
    0x2E8F: "尣",
    0x2E90: "尢",
    0x2E92: "巳",
    0x2E93: "幺",
    0x2E94: "彑",
    0x2E96: "忄",
    0x2E97: "㣺",
    0x2E98: "扌",
    0x2E99: "攵",
    0x2E9B: "旡",
    0x2E9C: "日",
    0x2E9D: "月",
    0x2E9E: "歺",
    0x2E9F: "母",
    0x2EA0: "民",
    0x2EA1: "氵",
    0x2EA2: "氺",
    0x2EA3: "灬",
    0x2EA4: "爫",
    0x2EA5: "爫",
    0x2EA6: "丬",
    0x2EA7: "牛",
    0x2EA8: "犭",
    0x2EA9: "王",
    0x2EAB: "目",
    0x2EAC: "示",
    0x2EAD: "礻",
    0x2EAF: "糹",
    0x2EB0: "纟",
    0x2EB1: "罓",
    0x2EB2: "罒",
    0x2EB3: "㓁",
    0x2EB6: "羊",
    0x2EB9: "耂",
    0x2EBA: "肀",
    0x2EBB: "聿",
    0x2EBC: "肉",
    0x2EBD: "臼",
    0x2EBE: "艹",
    0x2EBF: "艹",
    0x2EC0: "艹",
    0x2EC1: "虎",
    0x2EC2: "衤",
    0x2EC3: "覀",
    0x2EC4: "西",
    0x2EC5: "见",
    0x2EC6: "角",
    0x2EC8: "讠",
    0x2EC9: "贝",
    0x2ECB: "车",
    0x2ECC: "辶",
    0x2ECD: "辶",
    0x2ECE: "辶",
    0x2ECF: "邑",
    0x2ED0: "钅",
    0x2ED1: "長",
    0x2ED2: "镸",
    0x2ED3: "长",
    0x2ED4: "门",
    0x2ED6: "阝",
    0x2ED7: "雨",
    0x2ED8: "青",
    0x2ED9: "韦",
    0x2EDA: "页",
    0x2EDB: "风",
    0x2EDC: "飞",
    0x2EDD: "食",
    0x2EDF: "飠",
    0x2EE0: "饣",
    0x2EE2: "马",
    0x2EE3: "骨",
    0x2EE4: "鬼",
    0x2EE5: "鱼",
    0x2EE6: "鸟",
    0x2EE7: "卤",
    0x2EE8: "麦",
    0x2EE9: "黄",
    0x2EEA: "黾",
    0x2EEB: "斉",
    0x2EEC: "齐",
    0x2EED: "歯",
    0x2EEE: "齿",
    0x2EEF: "竜",
    0x2EF0: "龙",
    0x2EF1: "龜",
    0x2EF2: "亀",
    0x2EF3: "龟",
}
_ENCODED_TWICE = (
    *range(0x2F00, 0x2FD6),  # Kangxi radicals
    *range(0xF900, 0xFB00),  # CJK compatibility ideographs
    *range(0xFB50, 0xFE00),  # Arabic presentation forms
    *range(0xFE70, 0xFEFD),
)


def _usual(code: int) -> str:
    return unicodedata.normalize("NFKC", chr(code)).strip()


# By code point, none of them the letter itself.
USUAL_FORMS = (
    LIGATURES
    | _RADICALS
    | {code: form for code in _ENCODED_TWICE if (form := _usual(code)) and form != chr(code)}
)
