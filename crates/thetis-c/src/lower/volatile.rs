//! Which volatile objects the outside world may change.
//!
//! A volatile variable that the program defines is changed only by the program: it keeps its value. A volatile variable
//! that is defined elsewhere, a device at a fixed address, and the volatile objects that a function checked on its own is given may have
//! another value each time they are read. An access through a pointer that may lead to both is a limit.

use super::lowering::Lowering;
use super::origin::FrameId;
use super::points_to::{ClassId, ObjectKey};
use super::walk::{Direct, direct, site_of_place};
use crate::hir::{GlobalId, Place, PlaceKind};

/// Who may change an object that is accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Volatility {
    /// Only the program.
    Own,
    /// Anyone.
    Outside,
    /// Not known.
    Unknown,
}

impl Lowering<'_> {
    /// Who may change the object at a place.
    pub(super) fn volatility(&self, place: &Place) -> Volatility {
        if !self.program.types.is_volatile(place.ty) {
            return Volatility::Own;
        }
        self.owner_of(place)
    }

    fn owner_of(&self, place: &Place) -> Volatility {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Literal(..) | PlaceKind::Temporary(_) => Volatility::Own,
            PlaceKind::Global(global) => self.owner_of_global(*global),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => self.owner_of(base),
            PlaceKind::Deref(pointer) => match direct(pointer) {
                Some(Direct::Place(inner)) => self.owner_of(inner),
                Some(Direct::Element { array, .. }) => self.owner_of(array),
                None => match self.points.target(self.out.frame, site_of_place(place)) {
                    Some(class) => self.owner_of_class(class),
                    None => Volatility::Outside,
                },
            },
        }
    }

    fn owner_of_global(&self, global: GlobalId) -> Volatility {
        if self.program.globals[global].is_defined { Volatility::Own } else { Volatility::Outside }
    }

    /// Whether the variables of a frame are what a function that is checked by itself gets: its caller may hand over devices.
    fn is_given(&self, frame: FrameId) -> bool {
        frame == FrameId::new(0) && self.program.entry.as_ref().is_some_and(|entry| entry.is_called)
    }

    fn owner_of_class(&self, class: ClassId) -> Volatility {
        let owners =
            self.points.class(class).objects.iter().map(|object| match self.points.objects[*object].key {
                ObjectKey::Global(global) => self.owner_of_global(global),
                ObjectKey::Local(frame, _) if self.is_given(frame) => Volatility::Outside,
                _ => Volatility::Own,
            });
        let mut owners: Vec<Volatility> = owners.collect();
        if self.points.class(class).is_outside {
            owners.push(Volatility::Outside);
        }
        owners.dedup();
        match owners[..] {
            [] => Volatility::Outside,
            [only] => only,
            _ => Volatility::Unknown,
        }
    }
}
