"""The models that find lines of print in a picture and read them: PP-OCRv6 by rapidocr. In the sandbox."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rapidocr import RapidOCR
from rapidocr.ch_ppocr_rec import TextRecInput
from rapidocr.inference_engine.onnxruntime import main as sessions

from formats.ocr.languages import is_left_out

Picture = NDArray[np.uint8]  # (height, width, 3), blue first
Quad = NDArray[np.float32]  # (4, 2): the corners of a line, from where its reading begins, clockwise

DETECTION_SIDE = 1536  # pixels of the longer side; at 960 small print is lost
LEAST_WIDTH = 2  # pixels of a line


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLine:
    """What a straightened line says. centres: of each character, as parts of its width; sure: 0 to 1 each."""

    text: str
    centres: NDArray[np.float64]
    sure: NDArray[np.float64]

    @property
    def score(self) -> float:
        return float(self.sure.mean()) if len(self.sure) else 0.0


class Engine:
    """Reads Latin letters, Chinese and Japanese, or those of them that the `languages` are written with.

    threads: look for the lines of a page together. A line is read by one; several may read at a time.
    """

    def __init__(self, threads: int, languages: frozenset[str] = frozenset()) -> None:
        cv2.setNumThreads(1)
        self._finder = _models(threads)
        self._recogniser = _models(1)._load_rec_model()
        self.threads = threads
        if languages:
            self._leave_out(languages)

    def _leave_out(self, languages: frozenset[str]) -> None:
        """Let no letter be read with which none of the languages is written."""
        decode = self._recogniser.postprocess_op
        left_out = np.array([is_left_out(letter, languages) for letter in decode.character])

        def decoded(scores: NDArray[np.float32], *given: Any, **named: Any) -> Any:
            return decode(np.where(left_out, np.float32(0), scores), *given, **named)

        self._recogniser.postprocess_op = decoded

    def find(self, picture: Picture) -> list[Quad]:
        """The lines, each from its upper left corner on, in pixels."""
        detected: Any = self._finder(picture, use_det=True, use_cls=False, use_rec=False)
        if detected.boxes is None:
            return []
        return [np.asarray(box, dtype=np.float32) for box in detected.boxes if _is_drawable(box)]

    def read(self, line: Picture) -> ReadLine:
        """A line that was straightened by `straighten`."""
        read: Any = self._recogniser(TextRecInput(img=line, return_word_box=True))
        text = read.txts[0] if read.txts else ""
        if not text.strip():
            return ReadLine(text="", centres=np.zeros(0), sure=np.zeros(0))
        places = read.word_results[0]
        columns = np.array([column for word in places.word_cols for column in word], dtype=np.float64)
        printed = np.array([not letter.isspace() for letter in text])
        centres = np.full(len(text), np.nan)
        centres[printed] = (columns + 0.5) / places.line_txt_len
        order = np.arange(len(text))
        centres = np.interp(order, order[printed], centres[printed])  # a space stands between its neighbours
        return ReadLine(text=text, centres=centres, sure=np.asarray(places.confs, dtype=np.float64))


def straighten(picture: Picture, quad: Quad) -> Picture:
    """The line as a picture of its own, level, reading from left to right."""
    width, height = sides(quad)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    straight = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(quad, target),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
        flags=cv2.INTER_CUBIC,
    )
    return np.asarray(straight, dtype=np.uint8)


def sides(quad: Quad) -> tuple[int, int]:
    """The line's length and height in pixels."""
    length = max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[3] - quad[2]))
    height = max(np.linalg.norm(quad[0] - quad[3]), np.linalg.norm(quad[1] - quad[2]))
    return max(1, int(length)), max(1, int(height))


def _is_drawable(box: Any) -> bool:
    return min(sides(np.asarray(box, dtype=np.float32))) >= LEAST_WIDTH


def _models(threads: int) -> RapidOCR:
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_preprocess_img": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": DETECTION_SIDE,
            "Rec.rec_batch_num": 1,  # more take twice the memory and are no faster on dense pages
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
        }
    )


def _let_waiting_threads_sleep() -> None:
    """They spin by themselves, which takes a third of the time of a machine that has other work; rapidocr has
    no setting for it.
    """
    made = sessions.OrtInferSession._init_sess_opts

    def options(settings: Any) -> Any:
        of_session = made(settings)
        of_session.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return of_session

    sessions.OrtInferSession._init_sess_opts = staticmethod(options)  # type: ignore[assignment]


_let_waiting_threads_sleep()
